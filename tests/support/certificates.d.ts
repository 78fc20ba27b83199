import 'reflect-metadata';
export type Authority = Awaited<ReturnType<typeof createAuthority>>;
/** A certificate authority that exists for one test. */
export declare function createAuthority(name: string): Promise<{
    pem: string;
    /** Issues a certificate for loopback, which ends an hour from now or `endsInMs`. */
    issue({ address, endsInMs }?: {
        address?: string | undefined;
        endsInMs?: number | undefined;
    }): Promise<{
        serialNumber: string;
        certificate: string;
        key: string;
    }>;
}>;
/** Writes the three files of TLS into a directory, as cert-manager names them, and returns the variables. */
export declare function writeTlsFiles(directory: string, { certificate, key }: Awaited<ReturnType<Authority['issue']>>, trusted: readonly Authority[]): {
    TLS_CERT_FILE: string;
    TLS_KEY_FILE: string;
    TLS_CA_FILE: string;
};
