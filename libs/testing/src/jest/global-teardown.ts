export { endStores as default } from './global-setup.ts';
