// Californium: asks a sensor, or serves /attic, as coap_peer.py does (coap.py).
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.californium.core.*;
import org.eclipse.californium.core.coap.*;
import org.eclipse.californium.core.config.CoapConfig;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.core.server.resources.CoapExchange;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.elements.config.UdpConfig;

class CoapPeer {
    static final List<String> told = new ArrayList<>();

    static void tell(String what, CoapResponse answer) {
        String code = answer == null ? "none" : answer.getCode().text;
        String body = answer == null ? "" : HexFormat.of().formatHex(answer.getPayload());
        told.add("[\"" + what + "\",\"" + code + "\",\"" + body + "\"]");
    }

    static Request request(CoAP.Code code, String uri) {
        Request request = new Request(code);
        request.setURI(uri);
        return request;
    }

    /** Once more, while another reading comes between two blocks. */
    static CoapResponse ask(CoapClient client, Request request) throws Exception {
        for (int left = 5;; left--) {
            Request copy = new Request(request.getCode());
            copy.setURI(request.getURI()).setOptions(request.getOptions());
            copy.setPayload(request.getPayload());
            if (request.getToken() != null)
                copy.setToken(request.getToken());
            try {
                return client.advanced(copy);
            } catch (java.io.IOException error) {
                if (left == 0 || !error.getMessage().contains("expected ETag"))
                    throw error;
            }
        }
    }

    static void client(String uri) throws Exception {
        CoapClient client = new CoapClient(uri).setTimeout(60_000L);
        tell("whole", ask(client, request(CoAP.Code.GET, uri)));
        Request small = request(CoAP.Code.GET, uri);
        small.getOptions().setBlock2(0, false, 0);
        tell("blocks of 16", ask(client, small));
        for (int size = 1; size <= 8; size++) {
            Request named = request(CoAP.Code.GET, uri);
            named.setToken(new byte[size]);
            tell("token of " + size, ask(client, named));
        }
        Request strange = request(CoAP.Code.GET, uri);
        strange.getOptions().addOption(new Option(65001, new byte[] {1}));
        tell("critical", ask(client, strange));
        Request large = request(CoAP.Code.PUT, uri);
        large.setPayload("9".repeat(100));
        large.getOptions().setBlock1(0, true, 0);
        tell("put", ask(client, large));
        told.add("[\"ping\",\"" + (client.ping(20_000L) ? "0.00" : "none") + "\",\"\"]");
        CountDownLatch left = new CountDownLatch(3);
        CoapObserveRelation relation = client.observe(new CoapHandler() {
            public void onLoad(CoapResponse answer) {
                if (left.getCount() > 0)
                    tell("observed", answer);
                left.countDown();
            }

            public void onError() {
                tell("observed", null);
            }
        });
        left.await(60, TimeUnit.SECONDS);
        relation.proactiveCancel();
        Thread.sleep(500);
        System.out.println("{\"version\":\"" + System.getProperty("californium") + "\",\"told\":["
            + String.join(",", told) + "]}");
        System.exit(0);
    }

    static void server(int port, Configuration config) {
        CoapResource attic = new CoapResource("attic") {
            byte[] state = {};

            public void handleGET(CoapExchange exchange) {
                exchange.respond(CoAP.ResponseCode.CONTENT, state, 50);
            }

            public void handlePUT(CoapExchange exchange) {
                state = exchange.getRequestPayload();
                exchange.respond(CoAP.ResponseCode.CHANGED);
                changed();
            }
        };
        attic.setObservable(true);
        attic.setObserveType(CoAP.Type.CON);
        CoapServer server = new CoapServer(config);
        server.addEndpoint(CoapEndpoint.builder().setConfiguration(config)
            .setInetSocketAddress(new InetSocketAddress("127.0.0.1", port)).build());
        server.add(attic);
        server.start();
    }

    public static void main(String[] words) throws Exception {
        CoapConfig.register();
        UdpConfig.register();
        Configuration config = Configuration.createStandardWithoutFile();
        Configuration.setStandard(config);
        config.set(CoapConfig.PREFERRED_BLOCK_SIZE, 64).set(CoapConfig.MAX_MESSAGE_SIZE, 64);
        if (words[0].equals("server"))
            server(Integer.parseInt(words[1]), config);
        else
            client(words[1]);
    }
}
