/* steps.c - fuzz target: any sequence of calls on a task, in and out of order */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const ecfit_rng rng = {fuzz_fill, &in};
    const fuzz_curve *c = fuzz_choose(&in);
    uint8_t d[FUZZ_N], q[FUZZ_P], pair[2 * FUZZ_N], hash[32] = {1}, *task = calloc(1, c->task);
    BIGNUM *k = BN_new();
    int op = 0; /* of the task: 1 keygen, 2 ecdh, 3 sign, 4 verify, 0 none */
    ecfit_status status = ECFIT_MISUSE;
    (void)BN_set_word(k, 77);
    (void)BN_bn2binpad(k, d, (int)c->n);
    fuzz_multiply(c, q, k, NULL);
    FUZZ_CHECK(c, c->sign(pair, d, hash, sizeof hash, NULL) == ECFIT_OK);
    for (int calls = 0; in.size > 0 && calls < 30; calls++) {
        uint8_t what = fuzz_byte(&in) % 11, outs[FUZZ_P + FUZZ_N];
        ecfit_status ended = ECFIT_MORE;
        switch (what) {
        case 0: status = c->keygen_start(task, &rng); break;
        case 1: status = c->ecdh_start(task, d, q, &rng); break;
        case 2: status = c->sign_start(task, d, hash, sizeof hash, &rng); break;
        case 3: status = c->verify_start(task, pair, q, hash, sizeof hash); break;
        case 4: ended = c->keygen_finish(outs, outs + FUZZ_P, task); break;
        case 5: ended = c->ecdh_finish(outs, task); break;
        case 6: ended = c->sign_finish(outs, task); break;
        case 7: ended = c->verify_finish(task); break;
        case 8: c->abort(task); break;
        default: {
            ecfit_status before = status;
            status = c->step(task, what == 9 ? fuzz_byte(&in) % 32 : 4000);
            FUZZ_CHECK(c, op == 0 ? status == ECFIT_MISUSE : status != ECFIT_MISUSE);
            FUZZ_CHECK(c, before == ECFIT_MORE || status == before);
            FUZZ_CHECK(c, what == 9 || status != ECFIT_MORE);
        }
        }
        if (what < 4) {
            op = what + 1;
        } else if (what < 8) {
            FUZZ_CHECK(c, ended == (op == what - 3 ? status : ECFIT_MISUSE));
        }
        if (what >= 4 && what <= 8) {
            FUZZ_CHECK(c, fuzz_zero(task, c->task));
            op = 0;
            status = ECFIT_MISUSE;
        }
    }
    BN_free(k);
    free(task);
    return 0;
}
