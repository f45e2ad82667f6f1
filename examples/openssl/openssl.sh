#!/bin/sh
# openssl.sh sign DIR     writes from_openssl.h: a new key of P-256 and its signature in DER
# openssl.sh verify DIR   verifies what the example said (DIR/said) with the command openssl
set -eu
cd "$2"
text='the sluice is open'
printf '%s' "$text" > message

# Hexadecimal digits, as C bytes or as bytes.
as_c() { sed 's/../0x&, /g'; }
as_bytes() { python3 -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(sys.stdin.read()))'; }
said() { sed -n "s/^$1: //p" said; }
digits() { od -An -v -tx1 | tr -d ' \n'; }

case $1 in
sign)
    openssl ecparam -name prime256v1 -genkey -noout -out key.pem
    openssl dgst -sha256 -sign key.pem -out signature message
    {
        echo "#define MESSAGE \"$text\""
        # SubjectPublicKeyInfo ends with the point: 0x04 || x || y.
        point=$(openssl pkey -in key.pem -pubout -outform DER | tail -c 65 | digits | as_c)
        echo "static const uint8_t openssl_key[65] = {$point};"
        echo "static const uint8_t openssl_signature[] = {$(digits < signature | as_c)};"
    } > from_openssl.h.new
    mv from_openssl.h.new from_openssl.h
    ;;
verify)
    # SEQUENCE { SEQUENCE { id-ecPublicKey, prime256v1 }, BIT STRING of the point }: RFC 5480.
    { printf 3059301306072a8648ce3d020106082a8648ce3d030107034200; said 'public key'; } |
        as_bytes > public.der
    said DER | as_bytes > signature.der
    openssl dgst -sha256 -verify public.der -keyform DER -signature signature.der message
    ;;
esac
