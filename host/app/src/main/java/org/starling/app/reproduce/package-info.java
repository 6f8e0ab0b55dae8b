/** Claims judged: quantities on the frames of a run, verdicts, and the catalogue of entries. */
package org.starling.app.reproduce;
