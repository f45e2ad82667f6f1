// Californium, which asks a sensor or serves /attic as coap_peer.py does (coap.py); Bouncy Castle,
// which verifies what it is given and signs the same messages (foreign.py).
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.*;
import org.bouncycastle.crypto.agreement.*;
import org.bouncycastle.crypto.digests.*;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.crypto.params.*;
import org.bouncycastle.crypto.signers.*;
import org.bouncycastle.util.BigIntegers;
import org.eclipse.californium.core.*;
import org.eclipse.californium.core.coap.*;
import org.eclipse.californium.core.config.CoapConfig;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.core.server.resources.CoapExchange;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.elements.config.UdpConfig;

class Peer {
    public static void main(String[] words) throws Exception {
        if (words[0].equals("signatures")) {
            Castle.main();
            return;
        }
        CoapConfig.register();
        UdpConfig.register();
        Configuration config = Configuration.createStandardWithoutFile();
        Configuration.setStandard(config);
        config.set(CoapConfig.PREFERRED_BLOCK_SIZE, 64).set(CoapConfig.MAX_MESSAGE_SIZE, 64);
        if (words[0].equals("server"))
            CoapPeer.server(Integer.parseInt(words[1]), config);
        else
            CoapPeer.client(words[1]);
    }
}

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
}

class Castle {
    static final List<String> answers = new ArrayList<>(), signed = new ArrayList<>();

    interface Does {
        boolean run() throws Exception;
    }

    static void answer(Map<String, String> one, String what, Does does) {
        boolean right = false;
        try {
            right = does.run();
        } catch (Exception error) { // it refuses
        }
        answers.add("[\"" + one.get("curve") + "\",\"" + what + "\"," + right + "]");
    }

    static void sign(Map<String, String> one, String form, byte[] signature) {
        StringBuilder text = new StringBuilder("{\"raw\":\"\",\"der\":\"\"");
        for (String name : List.of("curve", "public", "message"))
            text.append(",\"" + name + "\":\"" + one.get(name) + "\"");
        String hex = HexFormat.of().formatHex(signature);
        signed.add(text + ",\"" + form + "\":\"" + hex + "\"}");
    }

    static byte[] bytes(Map<String, String> one, String name) {
        return HexFormat.of().parseHex(one.get(name));
    }

    static DSADigestSigner signer(String curve, DSAEncoding encoding, boolean signs,
        CipherParameters key) {
        ExtendedDigest digest = curve.equals("secp384r1") ? new SHA384Digest()
            : curve.equals("secp521r1") ? new SHA512Digest() : new SHA256Digest();
        DSADigestSigner signer = new DSADigestSigner(new ECDSASigner(), digest, encoding);
        signer.init(signs, key);
        return signer;
    }

    static byte[] made(Signer signer, byte[] message) throws Exception {
        signer.update(message, 0, message.length);
        return signer.generateSignature();
    }

    static boolean holds(Signer signer, byte[] message, byte[] signature) {
        signer.update(message, 0, message.length);
        return signer.verifySignature(signature);
    }

    static void edwards(Map<String, String> one) throws Exception {
        byte[] message = bytes(one, "message");
        answer(one, "raw", () -> {
            Ed25519Signer signer = new Ed25519Signer();
            signer.init(false, new Ed25519PublicKeyParameters(bytes(one, "public"), 0));
            return holds(signer, message, bytes(one, "raw"));
        });
        Ed25519Signer signer = new Ed25519Signer();
        signer.init(true, new Ed25519PrivateKeyParameters(bytes(one, "private"), 0));
        sign(one, "raw", made(signer, message));
    }

    static void montgomery(Map<String, String> one) {
        answer(one, "shared secret", () -> {
            byte[] shared = new byte[32];
            X25519Agreement agreement = new X25519Agreement();
            agreement.init(new X25519PrivateKeyParameters(bytes(one, "private"), 0));
            agreement.calculateAgreement(new X25519PublicKeyParameters(bytes(one, "peer"), 0),
                shared, 0);
            return Arrays.equals(shared, bytes(one, "shared"));
        });
    }

    static void weierstrass(Map<String, String> one) throws Exception {
        String curve = one.get("curve");
        ECDomainParameters domain = new ECDomainParameters(CustomNamedCurves.getByName(curve));
        byte[] message = bytes(one, "message");
        Map<String, DSAEncoding> encodings = Map.of("der", StandardDSAEncoding.INSTANCE, "raw",
            PlainDSAEncoding.INSTANCE);
        BigInteger secret = new BigInteger(1, bytes(one, "private"));
        ECPrivateKeyParameters own = new ECPrivateKeyParameters(secret, domain);
        for (String form : encodings.keySet()) {
            for (String key : List.of("public", "compressed"))
                answer(one, (form.equals("der") ? "DER" : form) + ", key " + key, () -> {
                    ECPublicKeyParameters point = new ECPublicKeyParameters(
                        domain.getCurve().decodePoint(bytes(one, key)), domain);
                    return holds(signer(curve, encodings.get(form), false, point), message,
                        bytes(one, form));
                });
            ParametersWithRandom random = new ParametersWithRandom(own, new SecureRandom());
            sign(one, form, made(signer(curve, encodings.get(form), true, random), message));
        }
        answer(one, "shared secret", () -> {
            ECDHBasicAgreement agreement = new ECDHBasicAgreement();
            agreement.init(own);
            BigInteger shared = agreement.calculateAgreement(new ECPublicKeyParameters(
                domain.getCurve().decodePoint(bytes(one, "peer")), domain));
            byte[] ours = bytes(one, "shared");
            return Arrays.equals(BigIntegers.asUnsignedByteArray(ours.length, shared), ours);
        });
    }

    public static void main() throws Exception {
        String text = new String(System.in.readAllBytes());
        Matcher pairs = Pattern.compile("\"(\\w+)\": \"((?:\\\\.|[^\"\\\\])*)\"").matcher(text);
        List<Map<String, String>> cases = new ArrayList<>();
        while (pairs.find()) { // "curve" comes first
            if (pairs.group(1).equals("curve"))
                cases.add(new HashMap<>());
            cases.get(cases.size() - 1).put(pairs.group(1), pairs.group(2));
        }
        for (Map<String, String> one : cases)
            switch (one.get("curve")) {
                case "ed25519" -> edwards(one);
                case "x25519" -> montgomery(one);
                default -> weierstrass(one);
            }
        System.out.println("{\"version\":\"" + System.getProperty("bouncycastle")
            + "\",\"answers\":[" + String.join(",", answers) + "],\"signed\":["
            + String.join(",", signed) + "]}");
    }
}
