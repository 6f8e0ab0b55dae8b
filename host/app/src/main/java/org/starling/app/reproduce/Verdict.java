package org.starling.app.reproduce;

import java.util.Collection;

/** What judging came to. */
public enum Verdict {
  HOLDS,
  /** Neither: the tokens still move too fast for the last state to be the final one. */
  UNDECIDED,
  FAILS;

  /** The word for people and files. */
  public String word() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /** Fails if one fails, else undecided if one is, else holds. */
  static Verdict all(Collection<Verdict> parts) {
    return parts.contains(FAILS) ? FAILS : parts.contains(UNDECIDED) ? UNDECIDED : HOLDS;
  }
}
