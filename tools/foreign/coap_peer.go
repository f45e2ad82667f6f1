// go-coap: asks a sensor, or serves /attic, as coap_peer.py does (coap.py).
package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/plgd-dev/go-coap/v3/message"
	"github.com/plgd-dev/go-coap/v3/message/codes"
	"github.com/plgd-dev/go-coap/v3/message/pool"
	"github.com/plgd-dev/go-coap/v3/mux"
	"github.com/plgd-dev/go-coap/v3/net"
	"github.com/plgd-dev/go-coap/v3/net/blockwise"
	"github.com/plgd-dev/go-coap/v3/options"
	"github.com/plgd-dev/go-coap/v3/udp"
)

func dotted(code codes.Code) string { return fmt.Sprintf("%d.%02d", code>>5, code&31) }

func client(uri, seconds string) {
	target, _ := url.Parse(uri)
	told := [][]string{}
	limit, _ := strconv.Atoi(seconds)
	within := func() context.Context { // one of the requests; notifications have longer
		ctx, _ := context.WithTimeout(context.Background(), 15*time.Second)
		return ctx
	}
	tell := func(what string, answer *pool.Message, err error) {
		if err != nil {
			told = append(told, []string{what, err.Error(), ""})
			return
		}
		body, _ := answer.ReadBody()
		told = append(told, []string{what, dotted(answer.Code()), hex.EncodeToString(body)})
	}
	dial := func(size blockwise.SZX) mux.Conn {
		conn, err := udp.Dial(target.Host, options.WithBlockwise(true, size, 60*time.Second))
		if err != nil {
			panic(err)
		}
		return conn
	}
	conn, small := dial(blockwise.SZX64), dial(blockwise.SZX16)
	answer, err := conn.Get(within(), target.Path)
	tell("whole", answer, err)
	first := message.Option{ID: message.Block2, Value: []byte{}}
	answer, err = small.Get(within(), target.Path, first)
	tell("blocks of 16", answer, err)
	for size := 1; size <= 8; size++ {
		request, _ := conn.NewGetRequest(within(), target.Path)
		request.SetToken(bytes.Repeat([]byte{byte(size)}, size))
		answer, err = conn.Do(request)
		tell(fmt.Sprintf("token of %d", size), answer, err)
	}
	answer, err = conn.Get(within(), target.Path, message.Option{ID: 65001, Value: []byte("x")})
	tell("critical", answer, err)
	body := bytes.NewReader(bytes.Repeat([]byte("9"), 100))
	answer, err = small.Put(within(), target.Path, message.TextPlain, body)
	tell("put", answer, err)
	if err = conn.Ping(within()); err == nil {
		told = append(told, []string{"ping", "0.00", ""})
	} else {
		told = append(told, []string{"ping", err.Error(), ""})
	}
	notified := make(chan []string, 100)
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(limit)*time.Second)
	defer cancel()
	observation, err := conn.Observe(ctx, target.Path, func(answer *pool.Message) {
		body, _ := answer.ReadBody()
		notified <- []string{"observed", dotted(answer.Code()), hex.EncodeToString(body)}
	})
	for i := 0; err == nil && i < 3; i++ {
		select {
		case notification := <-notified:
			told = append(told, notification)
		case <-ctx.Done():
			told = append(told, []string{"observed", "none", ""})
		}
	}
	if err == nil {
		observation.Cancel(within())
	} else {
		told = append(told, []string{"observed", err.Error(), ""})
	}
	version := "?"
	if info, found := debug.ReadBuildInfo(); found {
		for _, module := range info.Deps {
			if module.Path == "github.com/plgd-dev/go-coap/v3" {
				version = module.Version[1:]
			}
		}
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{"version": version, "told": told})
}

func server(port string) {
	var lock sync.Mutex
	state, number, observers := []byte{}, uint32(2), map[string]func([]byte, uint32){}
	send := func(conn mux.Conn, token message.Token, state []byte, number uint32) {
		answer := conn.AcquireMessage(conn.Context())
		defer conn.ReleaseMessage(answer)
		answer.SetCode(codes.Content)
		answer.SetToken(token)
		answer.SetContentFormat(message.AppJSON)
		answer.SetBody(bytes.NewReader(state))
		answer.SetObserve(number)
		conn.WriteMessage(answer)
	}
	router := mux.NewRouter()
	router.Handle("/attic", mux.HandlerFunc(func(w mux.ResponseWriter, r *mux.Message) {
		lock.Lock()
		defer lock.Unlock()
		if r.Code() == codes.PUT {
			state, _ = r.ReadBody()
			number++
			w.SetResponse(codes.Changed, message.TextPlain, nil)
			for _, notify := range observers {
				go notify(state, number)
			}
			return
		}
		observe, err := r.Options().Observe()
		if err == nil && observe == 0 {
			conn, token := w.Conn(), bytes.Clone(r.Token())
			observers[conn.RemoteAddr().String()] = func(state []byte, number uint32) {
				send(conn, token, state, number)
			}
			number++
			w.SetResponse(codes.Content, message.AppJSON, bytes.NewReader(state),
				message.Option{ID: message.Observe, Value: []byte{byte(number)}})
			return
		}
		w.SetResponse(codes.Content, message.AppJSON, bytes.NewReader(state))
	}))
	listener, err := net.NewListenUDP("udp4", "127.0.0.1:"+port)
	if err != nil {
		panic(err)
	}
	blocks := options.WithBlockwise(true, blockwise.SZX64, 20*time.Second)
	panic(udp.NewServer(options.WithMux(router), blocks).Serve(listener))
}

func main() {
	if os.Args[1] == "server" {
		server(os.Args[2])
	} else {
		client(os.Args[2], os.Args[3])
	}
}
