-- Made by src/schema, where the comments are; a test compares it.
-- Puts another payload in the place of a job's. A small one is in the row of the job alone.
create or replace function redrive.replace_payload(p_seq bigint, p_payload text, p_payload_bytes bytea) returns void
language plpgsql volatile as $$
begin
  delete from redrive.payloads where seq = p_seq;
  if (octet_length(p_payload) > 2000 or octet_length(p_payload_bytes) > 2000) then
    insert into redrive.payloads (seq, payload, payload_bytes) values (p_seq, p_payload, p_payload_bytes);
  end if;
end $$;
