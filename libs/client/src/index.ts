export * from './api.ts';
export * from './verify-webhook.ts';
