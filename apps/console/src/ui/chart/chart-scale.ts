const STEPS = [1, 2, 5];
const TICKS_MAX = 4;

/** Returns the tick values of an axis: round integers from 0 to at least `most`. */
export function ticksUpTo(most: number): number[] {
  let step = 1;
  for (let power = 1; most / step > TICKS_MAX; power *= 10) {
    step = STEPS.map((one) => one * power).find((one) => most / one <= TICKS_MAX) ?? step * 10;
  }
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}

const STRIDES = [1, 2, 3, 5, 6, 10, 12, 15, 20, 24, 30];

/** Returns how many bars apart the axis labels must be to fit. */
export function labelStride(barPixels: number, labelPixels: number): number {
  const needed = labelPixels / barPixels;
  return STRIDES.find((stride) => stride >= needed) ?? Math.ceil(needed);
}
