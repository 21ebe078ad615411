/** The table that raw lanes and pgbench insert into: a row as small as a queue with leases can have. */
export const rawSchema = `
  CREATE TABLE raw_jobs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, queue text NOT NULL, priority int NOT NULL,
    state text NOT NULL, token bigint NOT NULL, attempts int NOT NULL, lease_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(), payload jsonb NOT NULL
  );
  CREATE INDEX raw_ready ON raw_jobs (queue, priority, id) WHERE state = 'ready';
  CREATE INDEX raw_leased ON raw_jobs (lease_until) WHERE state = 'leased';`;
