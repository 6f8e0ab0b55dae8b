package org.starling.bench;

import java.util.List;

/** A measurement that gives one row or several that share a timing. */
interface Case {
  /** Ids of the rows, known before anything is measured. */
  List<String> ids();

  /** Rows in the order of the ids. */
  List<Row> measure(Workshop shop);
}
