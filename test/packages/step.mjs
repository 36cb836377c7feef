/**
 * Acts, and prints how that went.
 * @template Result
 * @param {string} name
 * @param {() => Promise<Result>} act
 */
export async function step(name, act) {
  const begun = performance.now();
  try {
    const result = await act();
    console.log(`ok      ${name} (${seconds(begun)} s)`);
    return result;
  } catch (error) {
    console.log(`FAILED  ${name} (${seconds(begun)} s)`);
    throw error;
  }
}

/** @param {number} begun */
function seconds(begun) {
  return ((performance.now() - begun) / 1000).toFixed(1);
}
