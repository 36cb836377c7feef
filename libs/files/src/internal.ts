// What tests need of this package, and applications do not. It may change in any version.

export { ImageQueue } from './images/image.queue.js';
