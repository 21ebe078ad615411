export { AccessFile, CODE_MS, type TokenWish } from './access-file.ts';
export type { Role } from './who.ts';
