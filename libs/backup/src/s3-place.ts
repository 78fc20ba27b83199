import type { Readable } from 'node:stream';
import { DeleteObjectsCommand, GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { MEBIBYTE } from '@waymark/contracts';
import type { Place } from './place.ts';

/** S3 allows 10,000 parts: 160 GiB for one collection. A part is in memory while it is sent. */
const PART_BYTES = 16 * MEBIBYTE;
const REMOVED_AT_ONCE = 1_000;

interface Location {
  bucket: string;
  /** Without slashes at its ends. */
  prefix: string;
}

export function openBucket(location: Location, env: Readonly<Record<string, string | undefined>>): Place {
  const { AWS_ENDPOINT_URL_S3: endpoint, AWS_REGION: region = 'us-east-1' } = env;
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  const { AWS_SESSION_TOKEN: sessionToken } = env;
  const client = new S3Client({
    region,
    // Without these, the client looks for a role of the machine or of the Kubernetes service account.
    ...(accessKeyId &&
      secretAccessKey && {
        credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
      }),
    // Other vendors serve buckets as paths, and not all of them know Amazon's newer checksums.
    ...(endpoint && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return placeIn(client, location);
}

function placeIn(client: S3Client, { bucket: Bucket, prefix }: Location): Place {
  const start = prefix && `${prefix}/`;
  const name = `s3://${Bucket}/${prefix}`;
  return {
    name,
    async list() {
      const paths: string[] = [];
      try {
        for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: start }))
          paths.push(...Contents.map(({ Key }) => Key!.slice(start.length)));
      } catch (cause) {
        // Every use begins with this, and the client's errors name no bucket.
        const { message, code } = cause as Error & { code?: string };
        throw new Error(`${name}: ${message || code}`, { cause });
      }
      return paths;
    },
    async write(path, Body) {
      const params = { Bucket, Key: start + path, Body };
      await new Upload({ client, params, partSize: PART_BYTES, queueSize: 1 }).done();
    },
    async read(path) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: start + path }));
      return Body as Readable;
    },
    async remove(paths) {
      for (let at = 0; at < paths.length; at += REMOVED_AT_ONCE) {
        const Objects = paths.slice(at, at + REMOVED_AT_ONCE).map((path) => ({ Key: start + path }));
        const { Errors = [] } = await client.send(
          new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
        );
        if (Errors[0]) throw new Error(`${Errors[0].Key} was not deleted: ${Errors[0].Message}`);
      }
    },
    at: (below) => placeIn(client, { bucket: Bucket, prefix: start + below }),
  };
}
