/**
 * The code of the thread that makes images. It is a text, because it is the same from sources and from what is compiled of them.
 * libvips reads five sorts of files alone, and no more pixels of one than it is told. A WebP has 16383 pixels a side at most.
 */
export const imageWorkerCode = `
const { parentPort, workerData } = require('node:worker_threads');
const sharp = require(workerData.sharp);
const loaders = ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'];
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: loaders.map((name) => 'VipsForeignLoad' + name) });
sharp.cache(false);
sharp.concurrency(1);
parentPort.on('message', async (job) => {
  if (job === undefined) return parentPort.close();
  const { source, target, width, height } = job;
  try {
    await sharp(source, { limitInputPixels: workerData.maximumPixels, failOn: 'error' })
      .autoOrient()
      .resize({ width, height: height || 16383, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: workerData.seconds })
      .webp()
      .toFile(target);
    parentPort.postMessage(undefined);
  } catch (error) {
    parentPort.postMessage(error instanceof Error ? error.message : String(error));
  }
});
parentPort.postMessage('started');
`;
