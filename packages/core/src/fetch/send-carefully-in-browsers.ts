import { noteSent } from './http-calls.ts';
import type { sendCarefully as inNode } from './send-carefully.ts';

/** In bundles for browsers: an error there never says that nothing was sent. */
export const sendCarefully: typeof inNode = async (send, { input, settings }) => {
  try {
    return await send(input, settings);
  } catch (error) {
    noteSent(error);
    throw error;
  }
};
