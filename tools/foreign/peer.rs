//! RustCrypto: verifies what it is given, and signs the same messages (foreign.py).
use serde_json::{Value, json};
use std::io::{self, Read};

macro_rules! curve {
    ($name:ident, $library:ident) => {
        fn $name(one: &Value, answers: &mut Vec<Value>, signed: &mut Vec<Value>) {
            use $library::ecdsa::signature::{Signer, Verifier};
            use $library::ecdsa::{DerSignature, Signature, SigningKey, VerifyingKey};
            let get = |name: &str| hex::decode(one[name].as_str().unwrap()).unwrap();
            let message = get("message");
            for key in ["public", "compressed"] {
                let verifier = VerifyingKey::from_sec1_bytes(&get(key)).ok();
                let by =
                    |right: &dyn Fn(&VerifyingKey) -> bool| verifier.as_ref().is_some_and(right);
                let raw = by(&|v| {
                    Signature::from_slice(&get("raw")).is_ok_and(|s| v.verify(&message, &s).is_ok())
                });
                let der = by(&|v| {
                    DerSignature::try_from(&get("der")[..])
                        .is_ok_and(|s| v.verify(&message, &s).is_ok())
                });
                answers.push(json!([one["curve"], format!("raw, key {key}"), raw]));
                answers.push(json!([one["curve"], format!("DER, key {key}"), der]));
            }
            let signer = SigningKey::from_slice(&get("private")).unwrap();
            let (raw, der): (Signature, DerSignature) =
                (signer.sign(&message), signer.sign(&message));
            for (raw, der) in [
                (hex::encode(raw.to_bytes()), String::new()),
                (String::new(), hex::encode(der.as_bytes())),
            ] {
                let mut made = one.clone();
                made["raw"] = json!(raw);
                made["der"] = json!(der);
                signed.push(made);
            }
        }
    };
}
curve!(on_k256, k256);
curve!(on_p256, p256);
curve!(on_p384, p384);

fn main() {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    let (mut answers, mut signed) = (vec![], vec![]);
    for one in &cases {
        match one["curve"].as_str() {
            Some("secp256k1") => on_k256(one, &mut answers, &mut signed),
            Some("secp256r1") => on_p256(one, &mut answers, &mut signed),
            Some("secp384r1") => on_p384(one, &mut answers, &mut signed),
            _ => (),
        }
    }
    let pinned = include_str!("Cargo.toml")
        .lines()
        .find_map(|line| line.strip_prefix("k256 = \"="));
    let version = pinned.unwrap_or("?").trim_end_matches('"');
    println!(
        "{}",
        json!({"version": version, "answers": answers, "signed": signed})
    );
}
