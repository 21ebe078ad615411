/** Weight of a new measurement: what gets larger is believed sooner than what gets smaller. */
const RISING = 0.3;
const FALLING = 0.1;

/** A mean that follows what is measured, and errs on the large side. */
export class RunningMean {
  /** `undefined`: nothing was measured yet. */
  value: number | undefined = undefined;

  add(measured: number): void {
    const { value } = this;
    if (value === undefined) this.value = measured;
    else this.value = value + (measured - value) * (measured > value ? RISING : FALLING);
  }
}
