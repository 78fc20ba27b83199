import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BasicConstraintsExtension, PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator, } from '@peculiar/x509';
const HOUR_MS = 3_600_000;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const newKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
/** A certificate authority that exists for one test. */
export async function createAuthority(name) {
    const keys = await newKeys();
    const root = await X509CertificateGenerator.createSelfSigned({
        name: `CN=${name}`,
        keys,
        signingAlgorithm: ALGORITHM,
        extensions: [new BasicConstraintsExtension(true, undefined, true)],
    });
    return {
        pem: root.toString('pem'),
        /** Issues a certificate for loopback, which ends an hour from now or `endsInMs`. */
        async issue({ address = '127.0.0.1', endsInMs = HOUR_MS } = {}) {
            const own = await newKeys();
            const certificate = await X509CertificateGenerator.create({
                subject: `CN=${address}`,
                issuer: root.subject,
                notBefore: new Date(Date.now() - 2 * HOUR_MS),
                notAfter: new Date(Date.now() + endsInMs),
                signingKey: keys.privateKey,
                publicKey: own.publicKey,
                signingAlgorithm: ALGORITHM,
                extensions: [new SubjectAlternativeNameExtension([{ type: 'ip', value: address }])],
            });
            const key = await crypto.subtle.exportKey('pkcs8', own.privateKey);
            return {
                serialNumber: certificate.serialNumber.toUpperCase(),
                certificate: certificate.toString('pem'),
                key: PemConverter.encode(key, 'PRIVATE KEY'),
            };
        },
    };
}
/** Writes the three files of TLS into a directory, as cert-manager names them, and returns the variables. */
export function writeTlsFiles(directory, { certificate, key }, trusted) {
    const env = {
        TLS_CERT_FILE: join(directory, 'tls.crt'),
        TLS_KEY_FILE: join(directory, 'tls.key'),
        TLS_CA_FILE: join(directory, 'ca.crt'),
    };
    writeFileSync(env.TLS_CERT_FILE, certificate);
    writeFileSync(env.TLS_KEY_FILE, key);
    writeFileSync(env.TLS_CA_FILE, trusted.map(({ pem }) => pem).join('\n'));
    return env;
}
//# sourceMappingURL=certificates.js.map