// Go's crypto: verifies what it is given, and signs the same messages (foreign.py).
package main

import (
	"crypto"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"os"
	"runtime"
)

func bytes(text string) []byte {
	data, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return data
}

func main() {
	var cases []map[string]string
	if json.NewDecoder(os.Stdin).Decode(&cases) != nil {
		os.Exit(1)
	}
	curves := map[string]elliptic.Curve{"secp256r1": elliptic.P256(), "secp384r1": elliptic.P384(),
		"secp521r1": elliptic.P521()}
	exchanges := map[string]ecdh.Curve{"secp256r1": ecdh.P256(), "secp384r1": ecdh.P384(),
		"secp521r1": ecdh.P521(), "x25519": ecdh.X25519()}
	answers, signed := [][]any{}, []map[string]string{}
	for _, one := range cases {
		curve, message := one["curve"], bytes(one["message"])
		answer := func(what string, right bool) { answers = append(answers, []any{curve, what, right}) }
		sign := func(form string, signature []byte) {
			made := map[string]string{"der": "", "raw": ""}
			for _, name := range []string{"curve", "public", "message"} {
				made[name] = one[name]
			}
			made[form] = hex.EncodeToString(signature)
			signed = append(signed, made)
		}
		if exchange, known := exchanges[curve]; known {
			private, err := exchange.NewPrivateKey(bytes(one["private"]))
			peer, wrong := exchange.NewPublicKey(bytes(one["peer"]))
			shared := []byte{}
			if err == nil && wrong == nil {
				shared, err = private.ECDH(peer)
			}
			answer("shared secret", err == nil && hex.EncodeToString(shared) == one["shared"])
		}
		if curve == "ed25519" {
			answer("raw", ed25519.Verify(bytes(one["public"]), message, bytes(one["raw"])))
			sign("raw", ed25519.Sign(ed25519.NewKeyFromSeed(bytes(one["private"])), message))
		} else if group, known := curves[curve]; known {
			digest := sha256.Sum256(message)
			hash, kind := digest[:], crypto.SHA256
			if curve == "secp384r1" {
				digest := sha512.Sum384(message)
				hash, kind = digest[:], crypto.SHA384
			} else if curve == "secp521r1" {
				digest := sha512.Sum512(message)
				hash, kind = digest[:], crypto.SHA512
			}
			public, err := ecdsa.ParseUncompressedPublicKey(group, bytes(one["public"]))
			answer("DER, key public", err == nil && ecdsa.VerifyASN1(public, hash, bytes(one["der"])))
			raw := bytes(one["raw"])
			r, s := new(big.Int).SetBytes(raw[:len(raw)/2]), new(big.Int).SetBytes(raw[len(raw)/2:])
			answer("raw, key public", err == nil && ecdsa.Verify(public, hash, r, s))
			x, y := elliptic.UnmarshalCompressed(group, bytes(one["compressed"]))
			answer("DER, key compressed", x != nil &&
				ecdsa.VerifyASN1(&ecdsa.PublicKey{Curve: group, X: x, Y: y}, hash, bytes(one["der"])))
			private, err := ecdsa.ParseRawPrivateKey(group, bytes(one["private"]))
			if err == nil {
				if signature, err := private.Sign(rand.Reader, hash, kind); err == nil {
					sign("der", signature)
				}
			}
		}
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"version": runtime.Version(), "answers": answers, "signed": signed})
}
