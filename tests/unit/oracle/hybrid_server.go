// Feeds the record of standard input (hexadecimal) to a TLS 1.3 server of crypto/tls, and prints
// what the server answers: "flight" and the bytes it sends, "failed" and its error, and the lines
// of its key log.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"strings"
	"time"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	exit(err)
	hello, err := hex.DecodeString(strings.TrimSpace(string(text)))
	exit(err)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	exit(err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	exit(err)
	config := &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}},
		MinVersion:   tls.VersionTLS13,
		KeyLogWriter: os.Stdout,
		CurvePreferences: []tls.CurveID{
			tls.X25519MLKEM768, tls.SecP256r1MLKEM768, tls.SecP384r1MLKEM1024,
		},
	}
	client, server := net.Pipe()
	go func() {
		if err := tls.Server(server, config).Handshake(); err != nil {
			fmt.Println("failed", err)
		}
		server.Close()
	}()
	go client.Write(hello)
	client.SetReadDeadline(time.Now().Add(2 * time.Second))
	flight, _ := io.ReadAll(client)
	fmt.Println("flight", hex.EncodeToString(flight))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
