/** Functions around every write that a user could have: they read the record, and change nothing. */
const look = ({ record }) => {
  if (record.score < 0) throw new RangeError('a score below zero');
};

export const lifeCycle = { beforeSave: look, afterSave: look, beforeDelete: look, afterDelete: look };
