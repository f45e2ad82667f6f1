// A server on Go's crypto/tls: serves a payload to each connection, and logs why one failed.
//
// server ADDRESS CHAIN KEY VERSION [PAYLOAD]: VERSION is 1.2 or 1.3; PAYLOAD, hexadecimal digits.
// For each connection it prints a line: "full", "resumed", or the error.
package main

import (
	"crypto/tls"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"os"
	"time"
)

func main() {
	pair, err := tls.LoadX509KeyPair(os.Args[2], os.Args[3])
	exit(err)
	version := map[string]uint16{"1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13}[os.Args[4]]
	payload := []byte{}
	if len(os.Args) > 5 {
		payload, err = hex.DecodeString(os.Args[5])
		exit(err)
	}
	config := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: version, MaxVersion: version}
	listener, err := net.Listen("tcp", os.Args[1])
	exit(err)
	for {
		connection, err := listener.Accept()
		exit(err)
		go serve(tls.Server(connection, config), payload)
	}
}

func serve(connection *tls.Conn, payload []byte) {
	defer connection.Close()
	connection.SetDeadline(time.Now().Add(30 * time.Second))
	if err := connection.Handshake(); err != nil {
		fmt.Println(err)
		return
	}
	how := "full"
	if connection.ConnectionState().DidResume {
		how = "resumed"
	}
	fmt.Println(how)
	connection.Write(payload)
	io.Copy(io.Discard, connection)
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
