/** Weight of a new measurement: the mean rises faster than it falls. */
const RISING = 0.3;
const FALLING = 0.1;

/** A moving mean that errs on the large side. */
export class RunningMean {
  /** `undefined`: nothing was measured yet. */
  value: number | undefined = undefined;

  add(measured: number): void {
    const { value } = this;
    if (value === undefined) this.value = measured;
    else this.value = value + (measured - value) * (measured > value ? RISING : FALLING);
  }
}
