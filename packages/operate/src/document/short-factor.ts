/** At most one digit after the point. */
export const shortFactor = (factor: number) => String(Math.round(factor * 10) / 10);
