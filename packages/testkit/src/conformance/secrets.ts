export { leakedSecrets, PLANTED_SECRETS, type PlantedSecret } from './secrets/planted.ts';
export { plantSecrets } from './secrets/workload.ts';
