/** Every process of the product, with its default ports. */
export const services = {
  gateway: { port: 8080, adminPort: 9080 },
  accounts: { port: 8081, adminPort: 9081 },
  decisions: { port: 8082, adminPort: 9082 },
  workflows: { port: 8083, adminPort: 9083 },
  threads: { port: 8084, adminPort: 9084 },
  search: { port: 8085, adminPort: 9085 },
  audit: { port: 8086, adminPort: 9086 },
  webhooks: { port: 8087, adminPort: 9087 },
  transfer: { port: 8088, adminPort: 9088 },
  notifications: { port: 8089, adminPort: 9089 },
} as const;
export type ServiceName = keyof typeof services;

/** The services that have a database: all except the gateway. */
export type StoringService = Exclude<ServiceName, 'gateway'>;
export const storingServices = (Object.keys(services) as ServiceName[]).filter(
  (name): name is StoringService => name !== 'gateway',
);
