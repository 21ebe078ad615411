export { AccessFile, type TokenSummary, type TokenWish } from './access/access-file.ts';
export type { TrustedProxy } from './access/trusted-proxy.ts';
export type { Role } from './access/who.ts';
export { type RunningServer, type ServerOptions, startServer } from './start-server.ts';
