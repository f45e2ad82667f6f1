use core::fmt;

use ecfit_sys as sys;

/// Why the library refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Zero, or not below the order.
    PrivateKey,
    /// Not an encoding of a point of the curve.
    PublicKey,
    /// Not a signature of this message and key.
    Signature,
    /// The generator failed, is stuck, or is missing where the configuration needs one.
    Generator,
    /// Shorter than 16 bytes, longer than 64, or 0 as an integer modulo the order: no hash.
    Hash,
    /// The message could not be read, or was another one when it was read again.
    Read,
    /// A fault was noticed: the result is not given out.
    Fault,
    /// A status that this version does not know.
    Unknown,
}

impl Error {
    /// What the library returned.
    pub(crate) fn check(status: sys::ecfit_status) -> Result<(), Error> {
        match status {
            sys::ECFIT_OK => Ok(()),
            sys::ECFIT_BAD_PRIVATE_KEY => Err(Error::PrivateKey),
            sys::ECFIT_BAD_PUBLIC_KEY => Err(Error::PublicKey),
            sys::ECFIT_BAD_SIGNATURE => Err(Error::Signature),
            sys::ECFIT_RNG_FAILED => Err(Error::Generator),
            sys::ECFIT_BAD_HASH => Err(Error::Hash),
            sys::ECFIT_READ_FAILED => Err(Error::Read),
            sys::ECFIT_FAULT => Err(Error::Fault),
            _ => Err(Error::Unknown),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Error::PrivateKey => "the private key is zero, or not below the order",
            Error::PublicKey => "the public key is no point of the curve",
            Error::Signature => "the signature is not one of this message and key",
            Error::Generator => "the random generator failed, or none was given",
            Error::Hash => "the hash has less than 16 bytes, more than 64, or is zero",
            Error::Read => "the message was not read, or changed while it was signed",
            Error::Fault => "a fault was noticed while signing",
            Error::Unknown => "unknown status of the library",
        })
    }
}

impl core::error::Error for Error {}

impl From<Error> for signature::Error {
    /// The reason is left out, as that crate asks for.
    fn from(_: Error) -> Self {
        signature::Error::new()
    }
}
