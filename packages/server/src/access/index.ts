export { AccessFile, type TokenSummary, type TokenWish } from './access-file.ts';
export type { Role } from './who.ts';
