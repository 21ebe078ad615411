// Stands for the model that embeds texts: `node model.ts`. Stop it to see an outage.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const { hostname, port } = new URL(process.env.MODEL_URL ?? 'http://127.0.0.1:8090');

createServer(async (request, response) => {
  const body = await text(request);
  console.log(`embeds: ${body}`);
  response.end(JSON.stringify([body.length, body.split(' ').length]));
}).listen(Number(port), hostname, () => console.log(`The model listens on port ${port}`));
