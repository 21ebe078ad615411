import { formatDuration } from '@redrive/durable/store';

export {
  ageText,
  formatAge,
  formatDue,
  formatDuration,
  formatTime,
  isDate,
  isoTime,
  spanText,
} from '@redrive/durable/store';

/** A duration in few characters, for places without room: `250ms`, `10m`, `1h10m`. */
export function shortDuration(durationMs: number): string {
  return formatDuration(durationMs).replace('min', 'm').replaceAll(' ', '');
}
