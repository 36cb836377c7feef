const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

/** Puts the answers of one connection together; it reads what a benchmark needs: the status, and where an answer ends. */
export class AnswerReader {
  #bytes;
  #head;

  /** Takes what arrived; answers `{ status, body }` when that completes an answer. `body()` is text. */
  push(chunk) {
    this.#bytes = this.#bytes === undefined ? chunk : Buffer.concat([this.#bytes, chunk]);
    this.#head ??= readHead(this.#bytes);
    if (this.#head === undefined || !isComplete(this.#head, this.#bytes)) return undefined;
    const bytes = this.#bytes;
    const { status, bodyStart, isChunked } = this.#head;
    this.#bytes = undefined;
    this.#head = undefined;
    return { status, body: () => bodyText(bytes.subarray(bodyStart).toString(), isChunked) };
  }
}

function readHead(bytes) {
  const end = bytes.indexOf(headEnd);
  if (end === -1) return undefined;
  const head = bytes.latin1Slice(0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head);
  const bodyStart = end + headEnd.length;
  return {
    status: Number(head.slice(9, 12)),
    bodyStart,
    isChunked: length === null && /\r\ntransfer-encoding: *chunked/i.test(head),
    end: bodyStart + Number(length?.[1] ?? 0),
  };
}

function isComplete({ isChunked, end }, bytes) {
  return isChunked ? bytes.subarray(bytes.length - lastChunk.length).equals(lastChunk) : bytes.length >= end;
}

/** Sizes of chunks count bytes; only bodies of one chunk are read, and those need no counting. */
function bodyText(text, isChunked) {
  return isChunked ? text.slice(text.indexOf('\r\n') + 2, text.lastIndexOf('\r\n0\r\n\r\n')) : text;
}
