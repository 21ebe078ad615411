export { leakedSecrets, PLANTED_SECRETS, type PlantedSecret } from './secrets/planted.ts';
export { plantSecrets, type SecretsListeners } from './secrets/workload.ts';
