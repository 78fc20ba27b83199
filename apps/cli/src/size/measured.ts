import type { Measured } from './size.ts';

/** Written by `npm run bench:size`. */
export const measured: Measured = {
  command: 'npm run bench:size',
  date: '2026-11-23',
  machine: 'AMD EPYC, Node 24.21.0',
  processorMs: {
    read: {
      decisions: 0.414,
      gateway: 0.291,
      mongodb: 0.294,
      redis: 0.05,
    },
    list: {
      decisions: 2.471,
      gateway: 0.861,
      mongodb: 0.671,
      redis: 0.08,
    },
    search: {
      search: 0.35,
      gateway: 0.18,
      redis: 0.033,
    },
    write: {
      decisions: 0.736,
      search: 0.571,
      audit: 0.339,
      webhooks: 0.304,
      gateway: 0.391,
      mongodb: 1.115,
      redis: 0.067,
      nats: 0.481,
    },
    delivery: {
      webhooks: 0.274,
      mongodb: 0.23,
      nats: 0,
    },
  },
  atRestMiB: {
    accounts: 148,
    decisions: 125,
    workflows: 127,
    threads: 127,
    search: 124,
    audit: 126,
    webhooks: 130,
    transfer: 127,
    notifications: 127,
    gateway: 124,
    mongodb: 174,
    redis: 4,
    nats: 20,
  },
  storedBytesPerDecision: 4258,
  indexBytesPerDecision: 1487,
};
