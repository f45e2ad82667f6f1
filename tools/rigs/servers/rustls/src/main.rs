//! A server on rustls: serves a payload to each connection, and logs why one failed.
//!
//! server ADDRESS CHAIN KEY VERSION [PAYLOAD]: VERSION is 1.2 or 1.3; PAYLOAD, hexadecimal digits.
use rustls::pki_types::{pem::PemObject, CertificateDer, PrivateKeyDer};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let chain: Vec<_> = CertificateDer::pem_file_iter(&words[2])
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let key = PrivateKeyDer::from_pem_file(&words[3]).unwrap();
    let version = if words[4] == "1.2" {
        &rustls::version::TLS12
    } else {
        &rustls::version::TLS13
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[version])
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    config.ticketer = rustls::crypto::ring::Ticketer::new().unwrap();
    let config = Arc::new(config);
    let payload = words.get(5).map_or(vec![], |text| {
        (0..text.len())
            .step_by(2)
            .map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap())
            .collect()
    });
    for stream in TcpListener::bind(&words[1]).unwrap().incoming() {
        let (config, payload) = (config.clone(), payload.clone());
        std::thread::spawn(move || match serve(stream.unwrap(), config, &payload) {
            Ok(how) => println!("{how}"),
            Err(error) => println!("{error}"),
        });
    }
}

fn serve(
    stream: TcpStream,
    config: Arc<rustls::ServerConfig>,
    payload: &[u8],
) -> std::io::Result<String> {
    let connection = rustls::ServerConnection::new(config).map_err(std::io::Error::other)?;
    let mut speaking = rustls::StreamOwned::new(connection, stream);
    while speaking.conn.is_handshaking() {
        speaking.conn.complete_io(&mut speaking.sock)?;
    }
    speaking.write_all(payload)?;
    speaking.flush()?;
    speaking.read_to_end(&mut Vec::new())?;
    let (version, kind) = (speaking.conn.protocol_version(), speaking.conn.handshake_kind());
    Ok(format!("{version:?} {kind:?}"))
}
