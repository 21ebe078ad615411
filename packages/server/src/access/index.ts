export { AccessFile, type TokenSummary, type TokenWish } from './access-file.ts';
export { ROLES, type Role } from './who.ts';
