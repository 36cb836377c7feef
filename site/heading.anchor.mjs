/**
 * Makes the anchor of a heading as GitHub does, so that links lead to the same place there and on the site.
 * @param {string} heading its text
 */
export function headingAnchor(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
