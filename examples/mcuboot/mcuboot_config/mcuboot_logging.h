/* mcuboot_logging.h - no log */
#ifndef MCUBOOT_LOGGING_H
#define MCUBOOT_LOGGING_H

#define MCUBOOT_LOG_MODULE_DECLARE(domain)  /* nothing */
#define MCUBOOT_LOG_MODULE_REGISTER(domain) /* nothing */
#define MCUBOOT_LOG_ERR(...) ((void)0)
#define MCUBOOT_LOG_WRN(...) ((void)0)
#define MCUBOOT_LOG_INF(...) ((void)0)
#define MCUBOOT_LOG_DBG(...) ((void)0)
#define MCUBOOT_LOG_SIM(...) ((void)0)

#endif
