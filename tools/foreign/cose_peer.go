// go-cose: verifies what it is given, and signs the same messages (foreign.py).
package main

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	_ "crypto/sha256" // for ES256: go-cose links none
	"encoding/hex"
	"encoding/json"
	"math/big"
	"os"
	"runtime/debug"

	"github.com/veraison/go-cose"
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
	algorithms := map[string]cose.Algorithm{"secp256r1": cose.AlgorithmES256,
		"secp384r1": cose.AlgorithmES384, "secp521r1": cose.AlgorithmES512,
		"ed25519": cose.AlgorithmEdDSA}
	answers, signed := [][]any{}, []map[string]string{}
	for _, one := range cases {
		algorithm, known := algorithms[one["curve"]]
		if !known {
			continue
		}
		var key *cose.Key
		var err error
		if group, known := curves[one["curve"]]; known {
			x, y := elliptic.Unmarshal(group, bytes(one["public"]))
			size := (group.Params().BitSize + 7) / 8
			key, err = cose.NewKeyEC2(algorithm, x.FillBytes(make([]byte, size)),
				y.FillBytes(make([]byte, size)), nil)
		} else {
			key, err = cose.NewKeyOKP(algorithm, bytes(one["public"]), nil)
		}
		message := cose.NewSign1Message()
		if err == nil {
			err = message.UnmarshalCBOR(bytes(one["sign1"]))
		}
		if err == nil {
			verifier, wrong := key.Verifier()
			if err = wrong; err == nil {
				err = message.Verify(nil, verifier)
			}
		}
		answers = append(answers, []any{one["curve"], "COSE_Sign1", err == nil})
		private := bytes(one["private"])
		var signer cose.Signer
		if group, known := curves[one["curve"]]; known {
			secret := &ecdsa.PrivateKey{D: new(big.Int).SetBytes(private)}
			secret.Curve = group
			secret.X, secret.Y = group.ScalarBaseMult(private)
			signer, err = cose.NewSigner(algorithm, secret)
		} else {
			signer, err = cose.NewSigner(algorithm, ed25519.NewKeyFromSeed(private))
		}
		headers := cose.Headers{Protected: cose.ProtectedHeader{
			cose.HeaderLabelAlgorithm: algorithm}}
		made, wrong := cose.Sign1(rand.Reader, signer, headers, bytes("a1616101"), nil)
		if err == nil && wrong == nil {
			signed = append(signed, map[string]string{"curve": one["curve"],
				"public": one["public"], "message": one["message"], "cose": hex.EncodeToString(made)})
		}
	}
	version := "?"
	if info, found := debug.ReadBuildInfo(); found {
		for _, module := range info.Deps {
			if module.Path == "github.com/veraison/go-cose" {
				version = module.Version[1:]
			}
		}
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"version": version, "answers": answers, "signed": signed})
}
