/** Every code that a problem may carry. */
export type ProblemCode = string;
