import { commandText } from '@redrive/core/fields';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import {
  Button,
  CommandLine,
  copy,
  Facts,
  Id,
  Json,
  Link,
  Loaded,
  Notice,
  State,
  Time,
} from '../../components/index.ts';
import { absolute, bounded, duration, lasts, num, plural } from '../../format.ts';
import { jobHref } from '../../links.ts';
import { can, whyNot } from '../../me.ts';
import { hrefWith, setParams } from '../../router.ts';
import { useAct, useRead } from '../../use-query.ts';
import {
  adviceFor,
  decisionText,
  type LetterAttempt,
  type LetterDocument,
  verdictOf,
} from './letter-words.ts';

const RECORDS = ['requeue', 'reset', 'purge', 'restore', 'prune'] as const;

/** One dead letter: why, attempts, payload, what edits replaced, similar ones. */
export function Letter({ id }: { readonly id: string }) {
  const letter = useRead(client.deadLetters.show, { id }, { on: RECORDS, of: id });
  if (letter.error?.status === 404) return <Gone id={id} />;
  return (
    <article class="letter" aria-label={`Dead letter ${id}`}>
      <Loaded query={letter} title="The letter did not load." rows={10}>
        {(document) => <Content document={document} />}
      </Loaded>
    </article>
  );
}

/** The letter was requeued or purged: shows what became of its job. */
function Gone({ id }: { readonly id: string }) {
  const state = useRead(client.jobs.show, { id }, { on: RECORDS, of: id }).data?.state;
  return (
    <article class="letter" aria-label={`Dead letter ${id}`}>
      <Head state={state ?? 'purged'} />
      <h2>
        <Id of={id} full />
      </h2>
      <Notice>
        {state === undefined ? 'This letter is gone.' : `Gone: the job is ${state} now.`}
      </Notice>
      <div class="btns">
        <Button primary href={jobHref(id)}>
          Timeline
        </Button>
      </div>
    </article>
  );
}

function Head({ state, since }: { readonly state: string; readonly since?: string }) {
  return (
    <div class="letter-head">
      <State of={state} />
      {since && (
        <span class="soft" title={absolute(since)}>
          for {lasts(since)}
        </span>
      )}
      <span class="sp" />
      <span class="muted hide-phone">
        <kbd>[</kbd> <kbd>]</kbd>
      </span>
      <a class="link" href={hrefWith({ open: undefined })}>
        Close <kbd class="hide-phone">Esc</kbd>
      </a>
    </div>
  );
}

function Content({ document }: { readonly document: LetterDocument }) {
  const { redrive, state } = document;
  const { id, origin, policy, attempts } = redrive;
  const act = (name: string) => setParams({ act: name, of: 'letter' });
  const isDead = state === 'dead';
  const gone = isDead ? undefined : `It is ${state}.`;
  return (
    <>
      <Head state={state} since={document.timestamp} />
      <h2>
        {origin.handler} <Id of={id} full />
      </h2>
      <p class="say">
        <b>{verdictOf(document)}</b> {adviceFor(document)}
      </p>
      <div class="btns">
        <Button primary whyNot={whyNot('operator') ?? gone} onClick={() => act('requeue')}>
          Requeue…
        </Button>
        <Button whyNot={whyNot('admin') ?? gone} onClick={() => act('edit')}>
          Edit payload…
        </Button>
        <Button href={jobHref(id)}>Timeline</Button>
        <span class="sp" />
        <Button line whyNot={whyNot('admin') ?? gone} onClick={() => act('purge')}>
          Purge…
        </Button>
      </div>
      <CommandLine
        text={isDead ? redrive.send_back.command : commandText`redrive dlq restore ${id}`}
      />
      <h3>
        Attempts <span>newest first</span>
        <Link href={jobHref(id)}>Why these waits?</Link>
      </h3>
      <Waits attempts={attempts} />
      <ol class="atts" reversed>
        {attempts.toReversed().map((attempt) => (
          <Attempt key={`${attempt.generation}.${attempt.attempt_number}`} attempt={attempt} />
        ))}
      </ol>
      {redrive.omitted_attempts > 0 && (
        <p class="l2">{plural(redrive.omitted_attempts, 'attempt')} more in the timeline</p>
      )}
      <Payload document={document} />
      {document.earlier_payloads.toReversed().map((each) => (
        <details class="earlier" key={each.generation}>
          <summary>
            Payload of generation {each.generation}, replaced <Time at={each.replaced_at} /> by{' '}
            {each.by}
          </summary>
          {each.payload_text && <Json text={each.payload_text.text} />}
        </details>
      ))}
      <h3>Facts</h3>
      <Facts
        of={[
          ['Error', document.last_error],
          ['Queue', origin.queue],
          ['Tenant', origin.tenant],
          ['Submitted', absolute(redrive.submitted_at)],
          ['Died', absolute(document.timestamp)],
          ['Policy', policy && `${policy.id ?? ''} ${policy.hash.slice(0, 12)}`],
          ['Error class', redrive.error_class],
          ['Reason', redrive.reason_code],
          ['Generation', num(redrive.generation)],
          ['Session', redrive.session_id === id ? null : redrive.session_id],
          ['Correlation', redrive.correlation_id === id ? null : redrive.correlation_id],
          ['Trace', redrive.trace_id],
        ]}
      />
      <Similar document={document} />
    </>
  );
}

/** Attempts solid, waits hatched, to scale. */
function Waits({ attempts }: { readonly attempts: readonly LetterAttempt[] }) {
  const generation = attempts.at(-1)?.generation;
  const own = attempts.filter((each) => each.generation === generation).slice(-8);
  const [first] = own;
  if (own.length < 2 || first === undefined) return null;
  return (
    <div class="att-waits" aria-hidden="true">
      {own.flatMap(({ attempt_number, duration: took, next_delay }) => [
        <i key={attempt_number} class="ran" style={{ flexGrow: Math.max(took, 0.001) }}>
          <u>{attempt_number}</u>
        </i>,
        next_delay === null ? null : (
          <i
            key={`${attempt_number}w`}
            class="hatch"
            style={{ flexGrow: Math.max(next_delay, 0.001) }}
            title={`back-off ${duration(next_delay * 1_000)}`}
          />
        ),
      ])}
    </div>
  );
}

function Attempt({ attempt }: { readonly attempt: LetterAttempt }) {
  const { attempt_number, entry, error, duration: took, timestamp } = attempt;
  return (
    <li class="att">
      <span class="num">{attempt_number}</span>
      <State of={entry} />
      <span class="cut" title={error?.message}>
        {error ? `${error.type}: ${error.message}` : ''}
      </span>
      <span class="soft">{duration(took * 1_000)}</span>
      <span class="l2">
        <Time at={timestamp} kind="ms" /> · {decisionText(attempt)}
      </span>
    </li>
  );
}

function Payload({ document }: { readonly document: LetterDocument }) {
  const { payload_text: shown, redrive } = document;
  const [whole, setWhole] = useState<string | undefined>(undefined);
  const load = useAct(async (payload: 'redacted' | 'full') => {
    setWhole((await client.deadLetters.payload({ id: redrive.id, payload })).text);
  });
  if (shown === null) return null;
  const text = whole ?? shown.text;
  const masked = text.match(/"\[redacted\]"|"\*{3,}"/gi)?.length ?? 0;
  const isCut = whole === undefined && shown.characters > shown.text.length;
  return (
    <>
      <h3>
        Payload{' '}
        <span>
          {num(redrive.payload.bytes)} bytes{masked > 0 && `, ${plural(masked, 'field')} redacted`}
        </span>
        <button type="button" class="link" onClick={() => copy(text, 'The payload is copied.')}>
          Copy
        </button>
      </h3>
      <Json text={text} />
      {isCut && <p class="l2">The first 64 KiB of {num(shown.characters)} characters.</p>}
      <div class="btns">
        {isCut && (
          <Button small isPending={load.isPending} onClick={() => load.run('redacted')}>
            Show the rest
          </Button>
        )}
        {masked > 0 && (
          <Button
            small
            whyNot={whyNot('admin')}
            isPending={load.isPending}
            onClick={() => load.run('full')}
          >
            Show in full
          </Button>
        )}
        {masked > 0 && can('admin') && <span class="why-not">The look is recorded.</span>}
      </div>
      {load.problem && <p class="l2 red">{load.problem.message}</p>}
    </>
  );
}

const SIMILAR = 6;

function Similar({ document }: { readonly document: LetterDocument }) {
  const { fingerprint, id } = document.redrive;
  const { count, bounded: isBound } = document.same_cause;
  const others = useRead(client.deadLetters.list, { group: fingerprint, limit: SIMILAR });
  const letters = others.data?.letters.filter((each) => each.id !== id).slice(0, SIMILAR - 1) ?? [];
  if (letters.length === 0) return null;
  return (
    <>
      <h3>
        Similar <span>{bounded(count, isBound)} of the same cause</span>
        <Link href={hrefWith({ cause: fingerprint, q: undefined })}>All</Link>
      </h3>
      <ul class="similar">
        {letters.map(({ id: other, tenant, finished_at }) => (
          <li key={other}>
            <Link href={hrefWith({ open: other })}>
              <Id of={other} />
            </Link>
            <span>{tenant}</span>
            <Time at={finished_at} />
          </li>
        ))}
      </ul>
    </>
  );
}
