import type { FileContent } from '../content/file-content.ts';
import type { Problem } from '../problem/problem.ts';
import { layersOf } from '../resolve/layers.ts';

const BREAKER_VALUE = /^policies\.(.+)\.circuit_breaker_(?:threshold|timeout)$/;

/** A wrong value of a breaker is an error where the breaker is on, and a warning where it is off. */
export function checkBreakerValues(wrong: readonly Problem[], content: FileContent): Problem[] {
  return wrong.map((problem) => {
    const [, id] = BREAKER_VALUE.exec(problem.path) ?? [];
    if (id === undefined || problem.code !== 'out_of_range' || isOn(id, content)) return problem;
    const message = `${problem.message}; the breaker is off, so the value is not used`;
    return { ...problem, severity: 'warning', code: 'unused_breaker_value', message };
  });
}

function isOn(id: string, content: FileContent): boolean {
  const { layers } = layersOf(content, id);
  const layer = layers.find((one) => one.has('enableCircuitBreaker'));
  return layer?.get('enableCircuitBreaker')?.value === true;
}
