/* random.h (pinol) - Contiki's generator, which the adapter has. */
unsigned short random_rand(void);
