import type { KeyObject } from 'node:crypto';
import { ClientMetadata } from '@waymark/contracts';
import { sealedFlows } from './sealed-flow.ts';

const YEAR_SECONDS = 365 * 86_400;

/** The metadata of registered clients, sealed into their ids: strangers who register store nothing here. */
export const registeredClients = (privateKeys: readonly KeyObject[], now: () => number) =>
  sealedFlows(privateKeys, { purpose: 'client', schema: ClientMetadata, seconds: YEAR_SECONDS }, now);
