@echo off
rem Starts Starling: finds a Java, builds the jar where it is missing or old, and hands over.
rem Standard output belongs to the program alone; everything said here goes to standard error.
rem
rem   JAVA_HOME                       the Java to try first
rem   JAVA_OPTS, STARLING_JAVA_OPTS   more options for the JVM; the later one wins
setlocal EnableExtensions DisableDelayedExpansion

set "NEEDED=17"
set "ROOT=%~dp0"
set "TARGET=%ROOT%host\app\target"
set "JAR=%TARGET%\starling.jar"
set "LOCK=%TARGET%\.building"
set "REJECTED="

if not exist "%ROOT%pom.xml" (
  set "JAR=%ROOT%starling.jar"
  goto :check_release
)

call :jar_is_old
if errorlevel 1 goto :run

call :find_java javac
if defined FOUND goto :build
call :find_java java
if defined FOUND if exist "%JAR%" (
  >&2 echo starling: the sources are newer than the jar and no JDK %NEEDED% or newer is here to rebuild it: running the jar as it is
  goto :run
)
>&2 echo starling: building Starling needs a JDK %NEEDED% or newer ^(with javac^), and none was found.
goto :how_to_install

:check_release
if exist "%JAR%" goto :run
>&2 echo starling: neither the sources nor starling.jar are in %ROOT%
exit /b 3

:build
if not exist "%TARGET%" mkdir "%TARGET%" 2>nul
set /a WAITED=0
:take_lock
mkdir "%LOCK%" 2>nul && goto :locked
if not exist "%LOCK%" (
  >&2 echo starling: cannot write to %TARGET%, where the jar has to be built.
  exit /b 3
)
if %WAITED%==0 >&2 echo starling: waiting for another build
set /a WAITED+=1
if %WAITED% GEQ 600 (
  >&2 echo starling: another build has held the lock for ten minutes. If none is running, remove %LOCK%
  exit /b 3
)
ping -n 2 127.0.0.1 >nul
goto :take_lock

:locked
call :jar_is_old
if errorlevel 1 (
  rmdir "%LOCK%" 2>nul
  goto :run
)
>&2 echo starling: building the program, which takes a minute the first time ^(log: %TARGET%\build.log^)
set "JAVA_HOME_BEFORE=%JAVA_HOME%"
set "JAVA_HOME=%FOUND%"
pushd "%ROOT%"
call mvnw.cmd -q -B -T1 -Dmaven.test.skip=true -pl host/app -am package >"%TARGET%\build.log" 2>&1 <nul
set "BUILT=%ERRORLEVEL%"
popd
set "JAVA_HOME=%JAVA_HOME_BEFORE%"
rmdir "%LOCK%" 2>nul
if not "%BUILT%"=="0" goto :build_failed
if exist "%JAR%" goto :run
:build_failed
>&2 echo starling: the build failed. Its log, %TARGET%\build.log:
>&2 type "%TARGET%\build.log"
exit /b 3

:run
call :find_java java
if not defined FOUND (
  >&2 echo starling: Starling needs Java %NEEDED% or newer, and none was found.
  goto :how_to_install
)
rem The Vector API makes the engine java several times faster; a Java without the module would not start.
set "VECTORS="
if exist "%FOUND%\release" findstr /b /c:"MODULES=" "%FOUND%\release" | findstr /c:"jdk.incubator.vector" >nul && set "VECTORS=--add-modules jdk.incubator.vector"
set "COLLECTOR=-XX:+UseParallelGC"
rem The user's choice of a garbage collector stands: the JVM refuses two.
echo "%JAVA_TOOL_OPTIONS% %JDK_JAVA_OPTIONS% %JAVA_OPTS% %STARLING_JAVA_OPTS%" | findstr /r /c:"-XX:+Use[A-Za-z]*GC" >nul && set "COLLECTOR="
"%FOUND%\bin\java.exe" -Djava.awt.headless=true -Dfile.encoding=UTF-8 -XX:MaxRAMPercentage=70 -Xshare:auto %COLLECTOR% --enable-native-access=ALL-UNNAMED %VECTORS% %JAVA_OPTS% %STARLING_JAVA_OPTS% -jar "%JAR%" %*
exit /b %ERRORLEVEL%

:how_to_install
if defined REJECTED >&2 echo   %REJECTED%
>&2 echo   Windows:          winget install EclipseAdoptium.Temurin.%NEEDED%.JDK
>&2 echo   already there?    point JAVA_HOME at its folder
exit /b 3

rem Errorlevel 0 where the jar is missing or a source is newer, 1 where it is fresh.
:jar_is_old
if not exist "%JAR%" exit /b 0
powershell -NoProfile -NonInteractive -Command "$j=(Get-Item -LiteralPath $env:JAR).LastWriteTimeUtc; $f=@(Get-Item -LiteralPath ($env:ROOT+'pom.xml')); foreach($d in 'host','kernels','fallback-cpu'){$f+=Get-ChildItem -LiteralPath ($env:ROOT+$d) -Recurse -Force | Where-Object {$_.Name -eq 'pom.xml' -or $_.FullName -match '\\src\\main(\\|$)'}}; if($f | Where-Object {$_.LastWriteTimeUtc -gt $j} | Select-Object -First 1){exit 0}else{exit 1}"
exit /b %ERRORLEVEL%

rem Sets FOUND to the home of the first Java that is new enough and has the command %1.
:find_java
set "FOUND="
if defined JAVA_HOME call :try "%JAVA_HOME%" %1
if defined FOUND exit /b 0
for /f "delims=" %%J in ('where java 2^>nul') do if not defined FOUND call :try_command "%%~dpJ." %1
if defined FOUND exit /b 0
for %%P in ("%ProgramFiles%\Eclipse Adoptium" "%ProgramFiles%\Java" "%ProgramFiles%\Microsoft" "%ProgramFiles%\Zulu" "%ProgramFiles%\Amazon Corretto" "%USERPROFILE%\.jdks") do (
  if not defined FOUND if exist "%%~P" for /d %%H in ("%%~P\*") do if not defined FOUND call :try "%%~H" %1
)
exit /b 0

:try_command
for %%B in ("%~1\..") do call :try "%%~fB" %2
exit /b 0

:try
if not exist "%~1\bin\java.exe" exit /b 0
set "VERSION="
if exist "%~1\release" for /f "usebackq tokens=2 delims==" %%V in (`findstr /b /c:"JAVA_VERSION=" "%~1\release"`) do set "VERSION=%%~V"
if not defined VERSION for /f "tokens=3" %%V in ('""%~1\bin\java.exe" -version 2^>^&1 ^| findstr /c:"version""') do if not defined VERSION set "VERSION=%%~V"
if not defined VERSION exit /b 0
for /f "tokens=1,2 delims=.-+_" %%A in ("%VERSION%") do (
  set "MAJOR=%%A"
  if "%%A"=="1" set "MAJOR=%%B"
)
if %MAJOR% LSS %NEEDED% (
  set "REJECTED=Java %MAJOR% in %~1 is too old"
  exit /b 0
)
if not exist "%~1\bin\%2.exe" (
  set "REJECTED=Java %MAJOR% in %~1 has no compiler (%2)"
  exit /b 0
)
set "FOUND=%~1"
exit /b 0
