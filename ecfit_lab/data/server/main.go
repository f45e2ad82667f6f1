// A server on Go's crypto/tls: serves a payload to each connection, and says why one failed.
//
// server ADDRESS CHAIN KEY VERSION [PAYLOAD]: VERSION is 1.2 or 1.3; PAYLOAD, hexadecimal digits.
// For each connection it prints a line: "full", "resumed", or the error.
//
// server: the job of ecfit_lab/tls/server.py, a line of JSON on its standard input. It prints its port,
// serves until its input ends, and prints the errors.
package main

import (
	"bufio"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"time"
)

type order struct {
	Connection  struct{ Version string }
	Credentials struct{ Server_chain, Server_key []byte }
	Payload     []byte
}

func main() {
	address, name, payload := "127.0.0.1:0", "1.3", []byte{}
	var pair tls.Certificate
	var err error
	input := bufio.NewReader(os.Stdin)
	ordered := len(os.Args) == 1
	if ordered {
		var job order
		line, _ := input.ReadBytes('\n')
		exit(json.Unmarshal(line, &job))
		name, payload = job.Connection.Version, job.Payload
		pair, err = tls.X509KeyPair(job.Credentials.Server_chain, job.Credentials.Server_key)
	} else {
		address, name = os.Args[1], os.Args[4]
		pair, err = tls.LoadX509KeyPair(os.Args[2], os.Args[3])
	}
	exit(err)
	if len(os.Args) > 5 {
		payload, err = hex.DecodeString(os.Args[5])
		exit(err)
	}
	version := map[string]uint16{"1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13}[name]
	config := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: version, MaxVersion: version,
		CurvePreferences: []tls.CurveID{tls.X25519MLKEM768, tls.X25519, tls.CurveP256, tls.CurveP384}}
	listener, err := net.Listen("tcp", address)
	exit(err)
	if ordered {
		fmt.Println(listener.Addr().(*net.TCPAddr).Port)
		go func() {
			io.Copy(io.Discard, input)
			os.Exit(0)
		}()
	}
	for {
		connection, err := listener.Accept()
		exit(err)
		go serve(tls.Server(connection, config), payload, !ordered)
	}
}

func serve(connection *tls.Conn, payload []byte, told bool) {
	defer connection.Close()
	connection.SetDeadline(time.Now().Add(30 * time.Second))
	if err := connection.Handshake(); err != nil {
		fmt.Println(err)
		return
	}
	if told && connection.ConnectionState().DidResume {
		fmt.Println("resumed")
	} else if told {
		fmt.Println("full")
	}
	connection.Write(payload)
	io.Copy(io.Discard, connection)
}

func exit(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
