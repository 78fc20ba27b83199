export { settledWithin } from './settled-within.ts';
