import { Duration, Effect, Schedule, Scope } from 'effect';
import { CircuitBreaker } from 'effect/persistence';

const schedule = ({ baseMs, factor, maxMs }) =>
  factor === 1
    ? Schedule.spaced(baseMs)
    : Schedule.exponential(baseMs, factor).pipe(
        Schedule.modifyDelay(({ duration }) =>
          Effect.succeed(Duration.min(duration, Duration.millis(maxMs))),
        ),
      );

const retryOptions = (settings) => ({
  times: settings.attempts - 1,
  ...(settings.baseMs > 0 && { schedule: schedule(settings) }),
});

export const retrying = (settings) => {
  const options = retryOptions(settings);
  return (fn) => Effect.runPromise(Effect.retry(Effect.tryPromise(fn), options));
};

export const guarded = async (settings) => {
  const options = retryOptions(settings);
  const breaker = await makeBreaker(settings);
  return (fn) =>
    Effect.tryPromise(fn).pipe(
      Effect.timeout(settings.timeoutMs),
      breaker.execute({ key: 'dependency' }),
      Effect.retry(options),
      Effect.runPromise,
    );
};

async function makeBreaker({ threshold, openMs }) {
  const make = CircuitBreaker.make({
    tripPolicy: CircuitBreaker.consecutive(threshold),
    openDuration: openMs,
  });
  const scope = await Effect.runPromise(Scope.make());
  return Effect.runPromise(
    make.pipe(
      Effect.provideService(Scope.Scope, scope),
      Effect.provide(CircuitBreaker.layerStoreMemory()),
    ),
  );
}
