export * from './api.ts';
export * from './facts.ts';
export * from './verify-webhook.ts';
